// What was shared on this device without a key: its link and the link that
// deletes it stay in this browser.

const place = 'devkiln.shares';
const most = 50;

// shares returns what is remembered and has not expired, the latest first.
export function shares() {
  try {
    return JSON.parse(localStorage.getItem(place) ?? '[]').filter(({ expires }) => new Date(expires) > Date.now());
  } catch {
    return [];
  }
}

const keep = (all) => localStorage.setItem(place, JSON.stringify(all.slice(0, most)));

export function remember(share) {
  keep([share, ...shares().filter(({ path }) => path !== share.path)]);
}

const forget = (share) => keep(shares().filter(({ path }) => path !== share.path));

// left says how long something is there, as on its page.
function left(milliseconds) {
  const minutes = Math.round(milliseconds / 60_000);
  const [n, unit] = minutes < 120 ? [minutes, 'minute'] : minutes < 2850 ? [Math.round(minutes / 60), 'hour'] : [Math.round(minutes / 1440), 'day'];
  return `${n} ${unit}${n === 1 ? '' : 's'}`;
}

// list fills a section with what is remembered.
export function list(section) {
  const all = shares();
  section.hidden = all.length === 0;
  section.querySelector('[data-list]').replaceChildren(...all.map((share) => {
    const row = document.createElement('li');
    const link = document.createElement('a');
    link.href = share.path + share.key;
    link.textContent = share.title;
    const until = document.createElement('span');
    until.textContent = `expires in ${left(new Date(share.expires) - Date.now())}`;
    until.title = new Date(share.expires).toLocaleString('en', { dateStyle: 'long', timeStyle: 'short' });
    const remove = document.createElement('button');
    remove.type = 'button';
    remove.textContent = 'Delete';
    remove.setAttribute('aria-label', `Delete ${share.title}`);
    remove.addEventListener('click', async () => {
      const response = await fetch(share.remove, { method: 'POST' }).catch(() => null);
      if (!response || (!response.ok && response.status !== 404)) {
        until.textContent = 'not deleted: the server does not respond';
        return;
      }
      forget(share);
      list(section);
    });
    row.append(link, until, remove);
    return row;
  }));
}
