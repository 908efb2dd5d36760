// Part of the editor in `npm run dev`: reloads the page when Node-RED has restarted.
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
