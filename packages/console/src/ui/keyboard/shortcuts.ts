export const isApple = /Mac|iPhone|iPad/.test(navigator.platform)

/** The platform's modifier in key names of shortcuts. */
export const modLabel = isApple ? 'cmd' : 'ctrl'

/** The modifier in texts and on key caps. */
export const modKey = isApple ? 'Cmd' : 'Ctrl'

export const isWindows = navigator.platform.startsWith('Win')

export const hasMod = (event: KeyboardEvent): boolean =>
  isApple ? event.metaKey : event.ctrlKey || event.metaKey

/**
 * All shortcuts of the console. The handlers, the help on `?` and `docs/keyboard.md` derive
 * from this table.
 */

/** Headings of the help, in order. */
export const shortcutGroups = ['Anywhere', 'In lists and tables', 'Go to a page'] as const

interface Shortcut {
  /**
   * Alternative keys, named as in `KeyboardEvent.key`, letters in lower case. `mod+` is the
   * platform's modifier; a space separates keys pressed in sequence.
   */
  keys: readonly string[]
  does: string
  group: (typeof shortcutGroups)[number]
  /** The focused element handles the keys. */
  native?: true
}

export const shortcuts = {
  palette: { keys: ['mod+k'], does: 'Open or close quick actions', group: 'Anywhere' },
  help: { keys: ['?'], does: 'Show keyboard shortcuts', group: 'Anywhere' },
  sidebar: { keys: ['['], does: 'Collapse or expand the sidebar', group: 'Anywhere' },
  tabs: { keys: ['←', '→'], does: 'Move between tabs', group: 'Anywhere', native: true },
  close: {
    keys: ['Escape'],
    does: 'Close a menu, panel or dialog',
    group: 'Anywhere',
    native: true,
  },

  search: { keys: ['/'], does: 'Search the list', group: 'In lists and tables' },
  firstRow: {
    keys: ['Enter', '↓'],
    does: 'From the search to the first row',
    group: 'In lists and tables',
    native: true,
  },
  create: { keys: ['c'], does: 'Create something in the list', group: 'In lists and tables' },
  nextRow: { keys: ['j', 'ArrowDown'], does: 'Next row', group: 'In lists and tables' },
  previousRow: { keys: ['k', 'ArrowUp'], does: 'Previous row', group: 'In lists and tables' },
  openRow: { keys: ['Enter'], does: 'Open the row', group: 'In lists and tables' },
  selectRow: { keys: ['x'], does: 'Select the row', group: 'In lists and tables' },
  selectRows: {
    keys: ['shift+x', 'shift+Space'],
    does: 'Select the rows up to this one',
    group: 'In lists and tables',
  },
  actions: {
    keys: ['.'],
    does: 'Open the actions of the row, or go to those of the selected rows',
    group: 'In lists and tables',
  },
  clearSelection: { keys: ['Escape'], does: 'Clear the selection', group: 'In lists and tables' },

  goProjects: { keys: ['g p'], does: 'Projects', group: 'Go to a page' },
  goInstances: { keys: ['g i'], does: 'Instances of the project', group: 'Go to a page' },
  goDisks: { keys: ['g d'], does: 'Disks of the project', group: 'Go to a page' },
  goSnapshots: { keys: ['g s'], does: 'Snapshots of the project', group: 'Go to a page' },
  goImages: { keys: ['g m'], does: 'Images of the project or the silo', group: 'Go to a page' },
  goVpcs: { keys: ['g v'], does: 'VPCs of the project', group: 'Go to a page' },
  goFloatingIps: { keys: ['g f'], does: 'Floating IPs of the project', group: 'Go to a page' },
  goExternalSubnets: {
    keys: ['g x'],
    does: 'External subnets of the project',
    group: 'Go to a page',
  },
  goProbes: { keys: ['g r'], does: 'Probes of the project', group: 'Go to a page' },
  goAffinity: { keys: ['g a'], does: 'Affinity groups of the project', group: 'Go to a page' },
  goUtilization: {
    keys: ['g n'],
    does: 'Utilization of the silo or the system',
    group: 'Go to a page',
  },
  goMetrics: {
    keys: ['g q'],
    does: 'Metrics of the project or the system',
    group: 'Go to a page',
  },
  goDashboards: {
    keys: ['g y'],
    does: 'Dashboards of the project or the system',
    group: 'Go to a page',
  },
  goMulticastGroups: { keys: ['g c'], does: 'Multicast groups', group: 'Go to a page' },
  goIssues: { keys: ['g w'], does: 'Issues of the system', group: 'Go to a page' },
  goSilos: { keys: ['g l'], does: 'Silos', group: 'Go to a page' },
  goIpPools: { keys: ['g b'], does: 'IP pools', group: 'Go to a page' },
  goJobs: { keys: ['g t'], does: 'Jobs', group: 'Go to a page' },
  goProfile: { keys: ['g u'], does: 'Your profile', group: 'Go to a page' },
  goSshKeys: { keys: ['g k'], does: 'Your SSH keys', group: 'Go to a page' },
  goAccessTokens: { keys: ['g o'], does: 'Your access tokens', group: 'Go to a page' },
  goSessions: { keys: ['g e'], does: 'Where you are signed in', group: 'Go to a page' },
} as const satisfies Record<string, Shortcut>

export type ShortcutId = keyof typeof shortcuts
/** The same table with uniform optional fields. */
export const shortcutTable: Record<ShortcutId, Shortcut> = shortcuts

const printed: Record<string, string> = {
  shift: '⇧',
  Escape: 'Esc',
  ArrowDown: '↓',
  ArrowUp: '↑',
}

/** The key caps of one alternative: `g i` → `g`, `i`. */
export const keyCaps = (keys: string, modLabel: string): string[] =>
  keys.split(/[ +]/).map((key) => printed[key] ?? (key === 'mod' ? modLabel : key))
