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
import { settingRoutes } from './settings';
import { streamRoutes } from './streams';
import { strobeRoutes } from './strobes';
import { testRoutes } from './tests';
import { toneRoutes } from './tones';
import { uploadRoutes } from './uploads';

export const routes: readonly Route[] = [
  ...settingRoutes,
  ...infoRoutes,
  ...managementRoutes,
  ...fileRoutes,
  ...doorRoutes,
  ...streamRoutes,
  ...testRoutes,
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
