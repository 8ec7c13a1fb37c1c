import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { linkTo } from '../../data/addresses.ts'
import { counted } from '@steading/api/rules'
import { Button } from '../../ui/button.tsx'
import { TextLink } from '../../ui/link.tsx'
import { StateShape } from '../../ui/state-badge.tsx'
import type { Light, LitUnit } from './model.ts'

/** Units and lights that are listed at first, and that each press adds. */
const UNITS_AT_ONCE = 50
const LIGHTS_AT_ONCE = 100
/** Lights in all up to which all units are open. */
const ALL_OPEN = 100

type MoreProps = { total: number; shown: number; step: number; noun: string; onMore: () => void }

function More({ total, shown, step, noun, onMore }: MoreProps) {
  const left = total - shown
  if (left <= 0) return null
  return (
    <Button size="sm" className="self-start" onClick={onMore}>
      Show {counted(Math.min(left, step), `more ${noun}`)}
    </Button>
  )
}

const Named = ({ name, path }: Light) =>
  path === undefined ? <span>{name}</span> : <TextLink {...linkTo(path)}>{name}</TextLink>

const Row = ({ light }: { light: Light }) => (
  <li className="flex min-w-0 items-center gap-2">
    {light.tone && <StateShape tone={light.tone} />}
    <span className="min-w-0 truncate">
      <Named {...light} /> <span className="text-tertiary">{light.state}</span>
    </span>
  </li>
)

function UnitItem({ unit, isOpen }: { unit: LitUnit; isOpen: boolean }) {
  const { light, instances, disks, more } = unit
  const [open, setOpen] = useState(isOpen)
  const [shown, setShown] = useState(LIGHTS_AT_ONCE)
  const lights = [...instances, ...disks]
  const contents = [
    counted(instances.length, 'instance'),
    disks.length > 0 && counted(disks.length, 'disk'),
    more > 0 && `${more} more without a light`,
  ]
  return (
    <li className="px-5 py-2.5 max-sm:px-4">
      <details open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary className="flex cursor-pointer flex-wrap items-center gap-x-2 rounded-control">
          <ChevronRight
            size={16}
            strokeWidth={1.5}
            aria-hidden
            className={open ? 'rotate-90 text-tertiary' : 'text-tertiary'}
          />
          <span className="font-medium">{light.name}</span>
          {light.state && <span className="text-secondary">{light.state}</span>}
          <span className="text-tertiary tabular-nums">{contents.filter(Boolean).join(', ')}</span>
        </summary>
        {open && (
          <div className="flex flex-col gap-2 pt-2 ps-6">
            {light.path !== undefined && (
              <TextLink {...linkTo(light.path)} className="self-start">
                {light.kind === 'sled' ? 'Open the sled' : 'Open the project'}
              </TextLink>
            )}
            <ul className="grid gap-x-6 gap-y-1 sm:grid-cols-2 lg:grid-cols-3 min-[1400px]:grid-cols-4">
              {lights.slice(0, shown).map((one) => (
                <Row key={one.id} light={one} />
              ))}
            </ul>
            <More
              total={lights.length}
              shown={shown}
              step={LIGHTS_AT_ONCE}
              noun="light"
              onMore={() => setShown(shown + LIGHTS_AT_ONCE)}
            />
          </div>
        )}
      </details>
    </li>
  )
}

/** All lights in words, with links to their pages. */
export function LightList({ units, label }: { units: readonly LitUnit[]; label: string }) {
  const [shown, setShown] = useState(UNITS_AT_ONCE)
  const all = units.reduce((sum, { instances, disks }) => sum + instances.length + disks.length, 0)
  return (
    <div className="flex flex-col gap-2 border-t py-2">
      <ul aria-label={label}>
        {units.slice(0, shown).map((unit) => (
          <UnitItem key={unit.light.id} unit={unit} isOpen={all <= ALL_OPEN} />
        ))}
      </ul>
      <div className="px-5 empty:hidden max-sm:px-4">
        <More
          total={units.length}
          shown={shown}
          step={UNITS_AT_ONCE}
          noun={units[0]?.light.kind ?? 'unit'}
          onMore={() => setShown(shown + UNITS_AT_ONCE)}
        />
      </div>
    </div>
  )
}
