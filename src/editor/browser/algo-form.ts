import { keepOption, openDevice, openVirtualDevice, validateAddress, validateFingerprint } from './device';
import { Dialog } from './dialog';
import { nameTypedInput } from './naming';
import { label, validateDevice, validateForm, validateOperation } from './node';
import { openWatch } from './watch';

/** What the pages of the nodes call. Each of them asks first whether it is there: a user may disable the plugin. */
window.algoForm = {
  label,
  validateDevice,
  validateOperation,
  validateForm,
  validateAddress,
  validateFingerprint,
  openDevice,
  openVirtualDevice,
  openWatch,
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
