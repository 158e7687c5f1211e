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
    until.textContent = `until ${new Date(share.expires).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' })}`;
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
