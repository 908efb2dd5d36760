import { Dialog } from './dialogs/action';
import { AlertDialog } from './dialogs/alert';
import { AnnounceDialog } from './dialogs/announce';
import { commandLabel, openCommand } from './dialogs/command';
import {
  openDevice,
  openVirtualDevice,
  validateAddress,
  validateFingerprint,
  validateVirtualFirmware,
  validateVirtualModel,
} from './dialogs/device';
import { GroupDialog, validateRows } from './dialogs/group';
import { openKeys, openWatch } from './dialogs/plain';
import { SupervisionDialog, validateExpectedFiles, validateExpectedSettings } from './dialogs/supervision';
import { validateCallers, WebhookDialog } from './dialogs/webhook';
import { addPaletteWords, shareWords } from './language/node-words';
import { translateStatuses } from './language/translate-status';
import { validateActions } from './node/alert-actions';
import { validateDelivery } from './node/delivery';
import { alertLabel, label, remoteLabel } from './node/label';
import {
  validateBroker,
  validateDevice,
  validateForm,
  validateGroup,
  validateOperation,
  validatePriority,
  validateVirtual,
} from './node/validate';
import { keepOption, UnsetProperties } from './page/inputs';
import { nameTypedInput, openPriority } from './page/typed-input';
import { hideUntriedMarks, rememberTried, reportIncomplete } from './page/untried';
import { addSidebar } from './sidebar/load';

shareWords();
addPaletteWords();

/**
 * The functions that the pages of the nodes call. A page first checks that `algoForm` exists, since a user
 * can disable the plugin.
 */
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
    const form = $('#dialog-form').addClass('algo-form');
    hideUntriedMarks(form, node);
    openKeys(node);
    if ($('#node-input-priority').length > 0) openPriority();
    form.data('algoUnset', new UnsetProperties(node));
  },
  saveSites(): void {
    const unset: unknown = $('#dialog-form').data('algoUnset');
    if (unset instanceof UnsetProperties) unset.spare();
  },
  validateCallers,
  openWebhook(node: EditorNode): void {
    const dialog = new WebhookDialog(node);
    dialog.root.data('algoDialog', dialog);
  },
  saveWebhook(node: EditorNode): void {
    const dialog: unknown = $('#node-input-auth').closest('form').data('algoDialog');
    if (dialog instanceof WebhookDialog && dialog.node === node) dialog.save();
  },
  validateExpectedSettings,
  validateExpectedFiles,
  openSupervision(node: EditorNode): void {
    const dialog = new SupervisionDialog(node);
    dialog.root.data('algoDialog', dialog);
  },
  saveSupervision(node: EditorNode): void {
    const dialog: unknown = $('#node-input-certificateDays').closest('form').data('algoDialog');
    if (dialog instanceof SupervisionDialog && dialog.node === node) dialog.save();
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
    const dialog: unknown = $('#node-config-input-maxParallel').closest('form').data('algoDialog');
    if (dialog instanceof GroupDialog && dialog.node === node) dialog.save();
  },
  validateActions,
  validatePriority,
  openAlert(node: EditorNode): void {
    const dialog = new AlertDialog(node);
    dialog.root.data('algoDialog', dialog);
  },
  saveAlert(node: EditorNode): void {
    const dialog: unknown = $('#node-input-afterRestart').closest('form').data('algoDialog');
    if (dialog instanceof AlertDialog && dialog.node === node) dialog.save();
  },
  openAnnounce(node: EditorNode): void {
    const dialog = new AnnounceDialog(node);
    dialog.root.data('algoDialog', dialog);
  },
  saveAnnounce(node: EditorNode): void {
    const dialog: unknown = $('#node-input-overlap').closest('form').data('algoDialog');
    if (dialog instanceof AnnounceDialog && dialog.node === node) dialog.save();
  },
  keepOption,
  nameTypedInput,
  open(node: EditorNode): void {
    const dialog = new Dialog(node);
    dialog.root.data('algoDialog', dialog);
    dialog.open();
  },
  save(node: EditorNode): void {
    const dialog: unknown = $('#node-input-target').closest('form').data('algoDialog');
    if (dialog instanceof Dialog && dialog.node === node) dialog.save();
  },
};

if (window.RED) {
  addSidebar();
  translateStatuses();
  rememberTried();
  reportIncomplete();
}
