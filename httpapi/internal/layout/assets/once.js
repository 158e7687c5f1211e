// once lets a form be sent only once until its page is shown again or somebody
// stops the browser: what a second press sends would take the place of the
// response to the first.
export function once(form) {
  let sent = false;
  const hold = (on) => {
    sent = on;
    for (const button of form.querySelectorAll('button')) button.ariaDisabled = on ? 'true' : null;
  };
  form.addEventListener('submit', (event) => {
    if (!sent) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }, { capture: true });
  form.addEventListener('submit', (event) => { if (!event.defaultPrevented) hold(true); });
  addEventListener('pageshow', () => hold(false));
  globalThis.navigation?.addEventListener('navigateerror', () => hold(false));
}
