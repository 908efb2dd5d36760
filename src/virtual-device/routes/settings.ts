import { dictionary, matching } from '../checks/checks';
import { httpStatus, maxSettings, maxSettingsLength } from '../choices';
import { all } from '../product/models';
import { settingValue } from '../state/parameters';
import { answer, refuse } from '../wire/answer';
import { json, nothing } from './readers';
import { type Route, route } from './route';

/** A dotted name such as audio.page.vol (section 2.1). */
const parameterName = matching('a dotted name such as audio.page.vol', /^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)+$/);

/** Routes for configuration parameters (section 4.1). */
export const settingRoutes: readonly Route[] = [
  route({
    route: 'GET /api/settings/{name}',
    section: '4.1',
    does: 'read a setting',
    firmware: '3.3',
    products: all,
    content: nothing,
    effect({ device, captures: { name = '' } }) {
      const value = device.settings.get(name);
      if (value === undefined)
        return refuse(`there is no setting ${JSON.stringify(name)}`, httpStatus.notFound);
      return answer({ [name]: value });
    },
  }),
  route({
    route: 'PUT /api/settings',
    section: '4.1',
    does: 'write settings',
    firmware: '3.3',
    products: all,
    content: json(dictionary(parameterName, settingValue)),
    effect({ device, body }) {
      const after = new Map([...device.settings, ...Object.entries(body)]);
      const length = [...after].reduce((sum, [name, value]) => sum + name.length + value.length, 0);
      if (after.size > maxSettings) return refuse(`the device stores at most ${maxSettings} settings`);
      if (length > maxSettingsLength)
        return refuse(`the device stores at most ${maxSettingsLength} characters of settings`);
      for (const [name, value] of Object.entries(body)) device.settings.set(name, value);
      return { status: httpStatus.settingsWritten };
    },
  }),
];
