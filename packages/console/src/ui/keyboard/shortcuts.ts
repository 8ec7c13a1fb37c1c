export const isApple = /Mac|iPhone|iPad/.test(navigator.platform)

/** The platform's modifier in key names of shortcuts. */
export const modLabel = isApple ? 'cmd' : 'ctrl'

/** The modifier in texts and on key caps. */
export const modKey = isApple ? 'Cmd' : 'Ctrl'

export const isWindows = navigator.platform.startsWith('Win')

export const hasMod = (event: KeyboardEvent): boolean =>
  isApple ? event.metaKey : event.ctrlKey || event.metaKey

/**
 * Keys of all shortcuts of the console, named as in `KeyboardEvent.key`, letters in lower case.
 * Alternatives are separate entries. `mod+` is the platform's modifier; a space separates keys
 * pressed in sequence. `shortcut-labels.ts` has the words of the help.
 */
export const shortcuts = {
  palette: ['mod+k'],
  help: ['?'],
  sidebar: ['['],
  tabs: ['←', '→'],
  close: ['Escape'],
  search: ['/'],
  firstRow: ['Enter', '↓'],
  create: ['c'],
  nextRow: ['j', 'ArrowDown'],
  previousRow: ['k', 'ArrowUp'],
  openRow: ['Enter'],
  selectRow: ['x'],
  selectRows: ['shift+x', 'shift+Space'],
  actions: ['.'],
  clearSelection: ['Escape'],
  goOverview: ['g h'],
  goProjects: ['g p'],
  goInstances: ['g i'],
  goDisks: ['g d'],
  goSnapshots: ['g s'],
  goImages: ['g m'],
  goVpcs: ['g v'],
  goFloatingIps: ['g f'],
  goExternalSubnets: ['g x'],
  goProbes: ['g r'],
  goAffinity: ['g a'],
  goUtilization: ['g n'],
  goMetrics: ['g q'],
  goDashboards: ['g y'],
  goMulticastGroups: ['g c'],
  goIssues: ['g w'],
  goSilos: ['g l'],
  goIpPools: ['g b'],
  goJobs: ['g t'],
  goProfile: ['g u'],
  goSshKeys: ['g k'],
  goAccessTokens: ['g o'],
  goSessions: ['g e'],
  goSignInSecurity: ['g z'],
} as const satisfies Record<string, readonly string[]>

export type ShortcutId = keyof typeof shortcuts
/** The same table with uniform keys. */
export const shortcutTable: Record<ShortcutId, readonly string[]> = shortcuts
