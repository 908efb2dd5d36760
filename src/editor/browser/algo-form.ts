import { Dialog } from './dialogs/action';
import { AlertDialog } from './dialogs/alert';
import { AnnounceDialog } from './dialogs/announce';
import {
  openDevice,
  openVirtualDevice,
  validateAddress,
  validateAuth,
  validateFingerprint,
  validateVirtualFirmware,
  validateVirtualModel,
} from './dialogs/device';
import { GroupDialog, validateRows } from './dialogs/group';
import { commandLabel, openCommand, openWatch, SitesDialog } from './dialogs/plain';
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
import { keepOption } from './page/inputs';
import { rememberTried, reportIncomplete } from './page/untried';
import { addSidebar } from './sidebar/load';

shareWords();
addPaletteWords();

interface SavedDialog {
  save(): void;
}

/** The dialogs of the nodes whose type is not an action. */
const dialogs: Readonly<Record<string, new (node: EditorNode) => SavedDialog>> = {
  'algo-group': GroupDialog,
  'algo-alert': AlertDialog,
  'algo-announce': AnnounceDialog,
  'algo-remote': SitesDialog,
  'algo-site': SitesDialog,
  'algo-supervision': SupervisionDialog,
  'algo-webhook': WebhookDialog,
};

const opened = new WeakMap<EditorNode, SavedDialog>();

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
  validateAuth,
  validateFingerprint,
  validateVirtualModel,
  validateVirtualFirmware,
  openDevice,
  openVirtualDevice,
  openWatch,
  openCommand,
  validateCallers,
  validateExpectedSettings,
  validateExpectedFiles,
  openReceipts(node: EditorNode): void {
    const show = $('#node-input-show');
    show.closest('form').addClass('algo-form');
    keepOption(show, node.show || 'all');
  },
  validateActions,
  validatePriority,
  open(node: EditorNode): void {
    const Kind = Object.hasOwn(dialogs, node.type) ? dialogs[node.type] : Dialog;
    if (Kind) opened.set(node, new Kind(node));
  },
  save: (node: EditorNode) => opened.get(node)?.save(),
};

if (window.RED) {
  addSidebar();
  translateStatuses();
  rememberTried();
  reportIncomplete();
}
