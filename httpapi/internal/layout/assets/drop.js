// Files that are dropped on a part of a page.

const holdsFile = (event) => event.dataTransfer?.types.includes('Files');

// dropped calls take with the first file of those that are dropped on a box.
// What is dropped otherwise, such as text, goes its usual way.
export function dropped(box, take) {
  box.addEventListener('dragover', (event) => {
    if (!holdsFile(event)) return;
    event.preventDefault();
    box.classList.add('over');
  });
  box.addEventListener('dragleave', () => box.classList.remove('over'));
  box.addEventListener('drop', (event) => {
    if (!holdsFile(event)) return;
    event.preventDefault();
    box.classList.remove('over');
    take(event.dataTransfer.files[0]);
  });
}
