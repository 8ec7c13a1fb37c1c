export const isApple = /Mac|iPhone|iPad/.test(navigator.platform)

/** The modifier of shortcuts as this platform writes it. */
export const modLabel = isApple ? 'cmd' : 'ctrl'

/** The modifier in texts and on key caps. */
export const modKey = isApple ? 'Cmd' : 'Ctrl'

export const isWindows = navigator.platform.startsWith('Win')

export const hasMod = (event: KeyboardEvent): boolean =>
  isApple ? event.metaKey : event.ctrlKey || event.metaKey
