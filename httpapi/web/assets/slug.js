import { live } from './live.js';

const rows = document.querySelector('[data-steps]');

live((result) => {
  rows.replaceChildren(...(result.steps ?? []).map((step) => {
    const row = document.createElement('tr');
    for (const text of [step.Text, step.Became, step.Rule]) row.insertCell().textContent = text;
    return row;
  }));
});
