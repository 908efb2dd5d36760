/** What has nothing to be compared with in turns, or wants a machine of its own: each is a script, run by its name. */
export const scripts = [
  {
    name: 'alert',
    file: 'alert.mjs',
    title: 'An alert of three actions beside three plain action nodes, 500 devices',
  },
  {
    name: 'alert-turns',
    file: 'alert-turns.mjs',
    title: 'The turns that an alert at 1,000 devices takes, and an emergency meanwhile',
  },
  {
    name: 'announce',
    file: 'announce.mjs',
    title: 'An announcement on 100 devices, uploads to 500, and audio of 20 MB',
  },
  { name: 'bells', file: 'bells.mjs', title: 'Bells: setting up, changing and foreseeing 2,000 of them' },
  { name: 'dialogs', file: 'dialogs.mjs', title: 'Dialogs beside that of core, in a browser' },
  {
    name: 'profiles',
    file: 'profiles.mjs',
    title: 'A profile of 40 settings at 200 devices: turns, time and requests',
  },
  { name: 'sidebar', file: 'sidebar.mjs', title: 'The sidebar with 5,000 rows, in a browser' },
  { name: 'sites', file: 'sites.mjs', title: 'Many sites over a broker' },
  {
    name: 'supervision',
    file: 'supervision.mjs',
    title: 'A supervision of 500 devices, as a share of a core',
  },
  { name: 'turns', file: 'turns.mjs', title: 'The longest turn that a question about bells takes' },
  {
    name: 'webhooks',
    file: 'webhooks.mjs',
    title: 'A webhook in a flood of requests, and emergencies meanwhile',
  },
  { name: 'validator', file: 'validator.mjs', title: 'The check of parameters beside ajv' },
];
