import { audioRoutes } from './audio';
import { callRoutes } from './calls';
import { consoleRoutes } from './console';
import { doorRoutes } from './doors';
import { emergencyRoutes } from './emergency';
import { fileRoutes } from './files';
import { infoRoutes } from './info';
import { managementRoutes } from './management';
import { relayRoutes } from './relays';
import type { Route } from './route';
import { scheduleRoutes } from './schedules';
import { screenRoutes } from './screens';
import { strobeRoutes } from './strobes';
import { toneRoutes } from './tones';
import { uploadRoutes } from './uploads';

export const routes: readonly Route[] = [
  ...infoRoutes,
  ...managementRoutes,
  ...fileRoutes,
  ...doorRoutes,
  ...audioRoutes,
  ...toneRoutes,
  ...uploadRoutes,
  ...callRoutes,
  ...relayRoutes,
  ...screenRoutes,
  ...strobeRoutes,
  ...consoleRoutes,
  ...emergencyRoutes,
  ...scheduleRoutes,
];
