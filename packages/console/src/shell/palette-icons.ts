import {
  ArrowRightLeft,
  Copy,
  CornerLeftUp,
  Download,
  History,
  Link,
  type LucideIcon,
  Pencil,
  Play,
  Plus,
  Power,
  RotateCw,
  Settings,
  Shapes,
  Square,
  SquareTerminal,
  Star,
  Trash2,
  Undo2,
  Unlink,
  Upload,
  Zap,
} from 'lucide-react'
import { navEntries } from './nav-entries.gen.ts'

/** First words of actions. */
const verbs: Record<string, LucideIcon> = {
  Add: Plus,
  Attach: Link,
  Console: SquareTerminal,
  Copy,
  Create: Plus,
  Delete: Trash2,
  Detach: Unlink,
  Download,
  Edit: Pencil,
  History,
  Move: ArrowRightLeft,
  New: Plus,
  Reboot: RotateCw,
  Remove: Trash2,
  Rename: Pencil,
  Restore: Undo2,
  Settings,
  Snapshot: Copy,
  Star,
  Start: Play,
  Stop: Square,
  Tags: Pencil,
  Unstar: Star,
  Upload,
  Wake: Power,
}

/** Entries of the sidebars with patterns of their addresses; the longest come first. */
const pages = Object.values(navEntries)
  .flat()
  .map(({ path, icon }) => ({
    icon,
    length: path.length,
    within: new RegExp(`^${path.replaceAll(/\$\w+/g, '[^/]+')}(-new)?(/|$)`),
  }))
  .toSorted((a, b) => b.length - a.length)

type Shown = { label: string; group: string; path?: string }

/** The icon of an entry: that of its action, or of the page that it opens, or of its parent page. */
export function paletteIcon({ label, group, path }: Shown): LucideIcon {
  const [word = ''] = label.split(' ')
  if (Object.hasOwn(verbs, word)) return verbs[word]!
  if (group === 'Go up') return CornerLeftUp
  if (path === undefined) return Zap
  const { pathname } = new URL(path, location.origin)
  return pages.find(({ within }) => within.test(pathname))?.icon ?? Shapes
}
