// The page of a document. It has no lines: a link to one leads to the source.

import { copyButton } from './clipboard.js';
import './menu.js';

if (/^#L\d/.test(location.hash)) location.replace(`?view=source${location.hash}`);
const page = document.querySelector('.viewer');
copyButton(page.querySelector('[data-copy]'), async () => {
  const response = await fetch(page.dataset.raw);
  if (!response.ok) throw new Error(response.status);
  return response.text();
});
