import { type ShortcutId, shortcutTable } from './shortcuts.ts'

/** Words of the help on `?` and of `docs/keyboard.md`, loaded on demand. */

/** Headings of the help, in order. */
export const shortcutGroups = ['Anywhere', 'In lists and tables', 'Go to a page'] as const
type Group = (typeof shortcutGroups)[number]

/** Effects of the shortcuts, in the order of the help. */
const words: Record<Group, Partial<Record<ShortcutId, string>>> = {
  Anywhere: {
    palette: 'Open or close quick actions',
    help: 'Show keyboard shortcuts',
    sidebar: 'Collapse or expand the sidebar',
    tabs: 'Move between tabs',
    close: 'Close a menu, panel or dialog',
  },
  'In lists and tables': {
    search: 'Search the list',
    firstRow: 'From the search to the first row',
    create: 'Create something in the list',
    nextRow: 'Next row',
    previousRow: 'Previous row',
    openRow: 'Open the row',
    selectRow: 'Select the row',
    selectRows: 'Select the rows up to this one',
    actions: 'Open the actions of the row, or go to those of the selected rows',
    clearSelection: 'Clear the selection',
  },
  'Go to a page': {
    goOverview: 'Overview of the project, the silo or the system',
    goProjects: 'Projects',
    goInstances: 'Instances of the project',
    goDisks: 'Disks of the project',
    goSnapshots: 'Snapshots of the project',
    goImages: 'Images of the project or the silo',
    goVpcs: 'VPCs of the project',
    goFloatingIps: 'Floating IPs of the project',
    goExternalSubnets: 'External subnets of the project',
    goProbes: 'Probes of the project',
    goAffinity: 'Affinity groups of the project',
    goUtilization: 'Utilization of the silo or the system',
    goMetrics: 'Metrics of the project or the system',
    goDashboards: 'Dashboards of the project or the system',
    goMulticastGroups: 'Multicast groups',
    goIssues: 'Issues of the system',
    goSilos: 'Silos',
    goIpPools: 'IP pools',
    goJobs: 'Jobs',
    goProfile: 'Your profile',
    goSshKeys: 'Your SSH keys',
    goAccessTokens: 'Your access tokens',
    goSessions: 'Where you are signed in',
    goSignInSecurity: 'Your second factors',
  },
}

/** Shortcuts of a group, with their keys. */
export const shortcutsOf = (group: Group): { does: string; keys: readonly string[] }[] =>
  (Object.entries(words[group]) as [ShortcutId, string][]).map(([id, does]) => ({
    does,
    keys: shortcutTable[id],
  }))

const printed: Record<string, string> = {
  shift: '⇧',
  Escape: 'Esc',
  ArrowDown: '↓',
  ArrowUp: '↑',
}

/** The key caps of one alternative: `g i` → `g`, `i`. */
export const keyCaps = (keys: string, modLabel: string): string[] =>
  keys.split(/[ +]/).map((key) => printed[key] ?? (key === 'mod' ? modLabel : key))
