/** In a page there is no setImmediate; work in slices asks for it. */
export const setImmediate = (task: () => void): void => void setTimeout(task, 0);
