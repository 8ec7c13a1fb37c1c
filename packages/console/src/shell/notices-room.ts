const KEY = 'notices-room'

/** Height of the standing notices as last shown, in pixels, which pages reserve for them. */
export const noticesRoom = (): string => localStorage.getItem(KEY) ?? '0'

export const rememberNoticesRoom = (height: number): void =>
  localStorage.setItem(KEY, String(height))
