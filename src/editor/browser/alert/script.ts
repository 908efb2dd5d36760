import { AnnouncePreview } from '../announce/preview';
import { ActionList } from './action-list';

window.algoAlert = { ActionList, AnnouncePreview };
