import { Check, ChevronsUpDown } from 'lucide-react'
import { useFleetViewer } from '../data/session.ts'
import { Menu } from '../ui/menu.tsx'
import { useSystemHome } from '../observability/issues/open-issues.ts'
import { pathTo } from '../page/path-to.ts'

const chosenIcon = <Check size={14} strokeWidth={1.5} aria-hidden />
const noIcon = <span className="block w-3.5" />

export function ScopePicker({ level }: { level: 'silo' | 'system' }) {
  const home = useSystemHome()
  const fleetViewer = useFleetViewer()
  if (!fleetViewer) return null
  return (
    <Menu
      label="Switch between system and silo"
      variant="secondary"
      size="md"
      trigger={
        <>
          <span className="max-sm:hidden">{level === 'system' ? 'System' : 'Silo'}</span>
          <ChevronsUpDown size={14} strokeWidth={1.5} aria-hidden />
        </>
      }
      items={[
        {
          label: 'System',
          href: pathTo(home),
          icon: level === 'system' ? chosenIcon : noIcon,
        },
        { label: 'Silo', href: pathTo('/projects'), icon: level === 'silo' ? chosenIcon : noIcon },
      ]}
    />
  )
}
