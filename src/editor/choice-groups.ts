export interface ChoiceGroup {
  readonly id: string;
  readonly title: string;
  readonly values: Readonly<Record<string, string>>;
}

export interface OperationMenu {
  readonly id: string;
  readonly title: string;
  readonly operations: readonly string[];
}

/**
 * Groups of screen templates, in the order of the interface document. The title of a template is its name in
 * words, because the interface document has no titles.
 */
const templateGroups = [
  {
    id: 'school',
    title: 'Templates: school',
    values: { school_time: 'School, time', school_date_time: 'School, date and time' },
  },
  {
    id: 'hospital',
    title: 'Templates: hospital',
    values: {
      hospital_scrolling_text: 'Hospital, scrolling text',
      hospital_text: 'Hospital, text',
      hospital_time: 'Hospital, time',
    },
  },
  {
    id: 'announcements',
    title: 'Templates: announcements',
    values: {
      announcement: 'Announcement',
      dont_forget: "Don't forget",
      reminder: 'Reminder',
      today_is: 'Today is',
    },
  },
  {
    id: 'clocks',
    title: 'Templates: clocks',
    values: {
      time_date_bg: 'Time and date',
      time_date_bg2: 'Time and date 2',
      dualclock1: 'Dual clock 1',
      dualclock1_nocorner: 'Dual clock 1, no corner',
      dualclock2: 'Dual clock 2',
      dualclock3: 'Dual clock 3',
    },
  },
  {
    id: 'calendar',
    title: 'Templates: calendar',
    values: {
      calendar_time_date: 'Calendar, time and date',
      calendar_time_image: 'Calendar, time and image',
      calendar_analog_clock: 'Calendar, analog clock',
    },
  },
  {
    id: 'weather',
    title: 'Templates: weather',
    values: {
      weather_current: 'Current weather',
      weather_hourly: 'Hourly weather',
      weather_weekly: 'Weekly weather',
    },
  },
] satisfies readonly ChoiceGroup[];

/** Groups of operations in the menu of a dialog; the first ones are used most. */
const operationGroups: Readonly<Record<string, readonly OperationMenu[]>> = {
  scheduler: [
    {
      id: 'bells',
      title: 'Bells',
      operations: ['sync', 'ring', 'preview', 'range', 'get', 'apply', 'import', 'export'],
    },
    {
      id: 'days',
      title: 'Days without bells',
      operations: ['skip', 'unskip', 'exclude', 'unexclude'],
    },
  ],
};

/** Returns no groups for a resource whose menu is a plain list. */
export function operationGroupsOf(resource: string): readonly OperationMenu[] {
  return operationGroups[resource] ?? [];
}

export function choiceGroupsOf({ variants }: { readonly variants?: object }): readonly ChoiceGroup[] {
  return variants ? templateGroups : [];
}
