import { loadScript } from '../page/load';
import type { SidebarScript } from './script';

/** Adds a tab to Node-RED's sidebar. The script of the tab is loaded when the user first opens the tab. */
export function addSidebar(): void {
  const content = $('<div class="algo-sidebar">');
  RED.sidebar.addTab({
    id: 'algo',
    label: 'Algo',
    name: 'Algo',
    iconClass: 'fa fa-bullhorn',
    content,
    onchange: () =>
      void loadScript<SidebarScript>('sidebar').then(
        (sidebar) => content[0] && sidebar.open(content[0]),
        () => content.text(RED._('@openpaging/node-red-algo/algo-forms:missing')),
      ),
  });
}
