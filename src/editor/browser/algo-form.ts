import { AlertDialog } from './alert';
import { commandLabel, openCommand } from './command';
import { validateDeeds } from './deeds';
import { validateDelivery } from './delivery';
import {
  keepOption,
  openDevice,
  openVirtualDevice,
  validateAddress,
  validateFingerprint,
  validateVirtualFirmware,
  validateVirtualModel,
} from './device';
import { Dialog } from './dialog';
import { GroupDialog, validateRows } from './group';
import { alertLabel, label, remoteLabel } from './label';
import { nameTypedInput } from './naming';
import {
  validateBroker,
  validateDevice,
  validateForm,
  validateGroup,
  validateOperation,
  validateVirtual,
} from './node';
import { addPaletteWords } from './palette-words';
import { sayIncomplete } from './say-incomplete';
import { sayStatuses } from './say-status';
import { shareWords } from './share-words';
import { addSidebar } from './sidebar/tab';
import { openKeys } from './site-keys';
import { rememberTried, spareUntried } from './untried';
import { openWatch } from './watch';

shareWords();
addPaletteWords();

/** What the pages of the nodes call. Each of them asks first whether it is there: a user may disable the plugin. */
window.algoForm = {
  label,
  alertLabel,
  remoteLabel,
  commandLabel,
  validateDevice,
  validateGroup,
  validateVirtual,
  validateBroker,
  validateDelivery,
  validateRows,
  validateOperation,
  validateForm,
  validateAddress,
  validateFingerprint,
  validateVirtualModel,
  validateVirtualFirmware,
  openDevice,
  openVirtualDevice,
  openWatch,
  openCommand,
  openSites(node: EditorNode): void {
    spareUntried($('#dialog-form').addClass('algo-form'), node);
    openKeys(node);
  },
  openReceipts(node: EditorNode): void {
    const show = $('#node-input-show');
    show.closest('form').addClass('algo-form');
    keepOption(show, node.show || 'all');
  },
  openGroup(node: EditorNode): void {
    const dialog = new GroupDialog(node);
    dialog.root.data('algoDialog', dialog);
  },
  saveGroup(node: EditorNode): void {
    const dialog: unknown = $('#node-config-input-parallel').closest('form').data('algoDialog');
    if (dialog instanceof GroupDialog && dialog.node === node) dialog.save();
  },
  validateDeeds,
  openAlert(node: EditorNode): void {
    const dialog = new AlertDialog(node);
    dialog.root.data('algoDialog', dialog);
  },
  saveAlert(node: EditorNode): void {
    const dialog: unknown = $('#node-input-afterRestart').closest('form').data('algoDialog');
    if (dialog instanceof AlertDialog && dialog.node === node) dialog.save();
  },
  keepOption,
  nameTypedInput,
  /** For `oneditprepare`. */
  open(node: EditorNode): void {
    const dialog = new Dialog(node);
    dialog.root.data('algoDialog', dialog);
    dialog.open();
  },
  /** For `oneditsave`. */
  save(node: EditorNode): void {
    const dialog: unknown = $('#node-input-target').closest('form').data('algoDialog');
    if (dialog instanceof Dialog && dialog.node === node) dialog.save();
  },
};

if (window.RED) {
  addSidebar();
  sayStatuses();
  rememberTried();
  sayIncomplete();
}
