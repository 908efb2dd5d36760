// In the editor of `npm run dev`: loads the page again when Node-RED has been started again.
(() => {
  let first;
  setInterval(async () => {
    try {
      const answer = await fetch('algo-demo/process');
      if (!answer.ok) return;
      const current = await answer.json();
      first ??= current;
      if (current !== first) location.reload();
    } catch {
      // Node-RED is starting.
    }
  }, 300);
})();
