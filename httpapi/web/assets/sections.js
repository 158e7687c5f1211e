// The steps of a build in a log that only the browser can read: groups of GitHub
// Actions and sections of GitLab, as the server finds them.

import { bare, foldLines, wrapper } from './scan.js';

const github = /^(?:##\[|::)(end)?group(?:\]|::)(.*)/;
const gitlab = /^section_(start|end):(\d+):([^[\r]+)(?:\[[^\]]*\])?\r?(.*)/;
const step = 'step'; // of GitHub: its group holds the command, not its output

// sectionsIn returns the sections of lines: the rows of their titles and ends.
function sectionsIn(rows) {
  const all = [];
  let open = [];
  let now = NaN;
  const close = (from, to, time) => {
    for (const section of open.slice(from)) Object.assign(section, { to: Math.max(section.from, to), took: time - section.began });
    open = open.slice(0, from);
  };
  const end = (name, to, time) => {
    const from = open.findLastIndex((section) => section.name === name);
    if (from >= 0) close(from, to, time);
  };
  const start = (name, title, from, began) => {
    if (name === step) end(step, from - 1, began);
    open.push({ name, title, from, to: from, began, took: NaN, depth: open.length });
    all.push(open.at(-1));
  };
  for (const [i, row] of rows.entries()) {
    const at = Date.parse((wrapper.exec(row)?.[0] ?? '').replaceAll(/[[\] ]/g, ''));
    if (!Number.isNaN(at)) now = at;
    const text = bare(row).trimStart();
    const [, ends, title] = github.exec(text) ?? [];
    const [, edge, seconds, name, words] = gitlab.exec(text) ?? [];
    if (edge === 'start') start(name, words || name, i, seconds * 1000);
    else if (edge) end(name, i, seconds * 1000);
    else if (ends) end('GitHub', i, now);
    else if (title !== undefined) start(title.startsWith('Run ') && (open.at(-1)?.name ?? step) === step ? step : 'GitHub', title, i, now);
    else if (text.startsWith('Post job cleanup.')) end(step, i, now);
  }
  close(0, rows.length - 1, now);
  return all.filter(({ from, to }) => to > from);
}

// told formats milliseconds as the server does: 2m13.6s.
function told(ms) {
  const seconds = Math.round(ms / 100) / 10;
  if (seconds < 1) return `${Math.round(seconds * 1000)}ms`;
  return `${seconds < 60 ? '' : `${Math.floor(seconds / 60)}m`}${Number((seconds % 60).toFixed(1))}s`;
}

const most = 12; // steps that are listed

function item(section, longest, link) {
  const row = document.createElement('li');
  const title = document.createElement('a');
  title.href = link;
  title.textContent = section.title;
  const took = document.createElement('span');
  took.textContent = told(section.took);
  const meter = document.createElement('meter');
  Object.assign(meter, { max: 100, value: (100 * section.took) / longest, ariaHidden: 'true' });
  row.append(title, ' ');
  if (section.failed) {
    const failed = document.createElement('b');
    failed.textContent = 'failed';
    row.className = 'failed';
    row.append(failed, ' ');
  }
  row.append(took, meter);
  return row;
}

// steps folds the sections of a listing but those that failed, and lists those in
// no other.
export function steps(box, lines, rows, key) {
  const sections = sectionsIn(rows);
  for (const section of sections) {
    const { from, to, took } = section;
    section.failed = lines.slice(from, to + 1).some((line) => /^[EF]/.test(line.className));
    const row = foldLines(lines, from + 1, to + 1, `${to - from} lines${took > 0 ? ` · ${told(took)}` : ''}`, section.failed);
    row.dataset.step = '';
  }
  const timed = sections.filter(({ depth, took, failed }) => depth === 0 && (took > 0 || failed));
  const own = timed.filter(({ name }) => name === step);
  const listed = own.length > 1 ? own : timed;
  const longest = listed.map(({ took }) => took).sort((a, b) => b - a);
  if (!(longest[1] > 0)) return;
  const least = longest[Math.min(most, longest.length) - 1];
  box.querySelector('ol').append(...listed.filter(({ took, failed }) => took >= least || failed).slice(0, most).map((section) => item(section, longest[0], `#${key}&L${section.from + 1}`)));
  box.querySelector('summary').textContent = `${listed.length} steps`;
  box.hidden = false;
}
