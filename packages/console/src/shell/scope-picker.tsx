import { Check, ChevronsUpDown } from 'lucide-react'
import { useFleetViewer } from '../data/session.ts'
import { Menu } from '../ui/menu.tsx'
import { hasSystemLevel } from './levels.ts'

const here = <Check size={14} strokeWidth={1.5} aria-hidden />
const elsewhere = <span className="block w-3.5" />

export function ScopePicker({ level }: { level: 'silo' | 'system' }) {
  const fleetViewer = useFleetViewer()
  if (!fleetViewer || !hasSystemLevel) return null
  return (
    <Menu
      label="Switch between system and silo"
      variant="secondary"
      size="md"
      trigger={
        <>
          {level === 'system' ? 'System' : 'Silo'}
          <ChevronsUpDown size={14} strokeWidth={1.5} aria-hidden />
        </>
      }
      items={[
        { label: 'System', href: '/system/silos', icon: level === 'system' ? here : elsewhere },
        { label: 'Silo', href: '/projects', icon: level === 'silo' ? here : elsewhere },
      ]}
    />
  )
}
