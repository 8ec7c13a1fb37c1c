import { Link } from '@tanstack/react-router'
import { Clock, Star } from 'lucide-react'
import { useEffect, useState } from 'react'
import { tooltip } from '../ui/tooltip.tsx'
import { useOwnResources } from './own-resources.ts'
import { setPreference } from '../page/preferences.ts'
import { Truncate } from '../ui/text.tsx'

const MOST_STARRED = 6
const MOST_RECENT = 4

/** The user's starred resources, and the latest ones that were opened in this browser. */
export function ShortcutList() {
  const own = useOwnResources()
  // Links stay in place while the list is open: visits and stars appear when it is opened again.
  const [first] = useState(own)
  const known = own.filter(({ path }) => first.some((one) => one.path === path))
  const shown = first.length === 0 ? own : known
  const starred = shown.filter(({ group }) => group === 'Starred').slice(0, MOST_STARRED)
  const recent = shown.filter(({ group }) => group === 'Recent').slice(0, MOST_RECENT)
  const links = [...starred, ...recent]
  useEffect(() => setPreference('shortcuts', links.length), [links.length])
  if (links.length === 0) {
    return (
      <p className="px-2 pb-1 text-xs text-tertiary">
        Starred resources and the last ones that you opened appear here.
      </p>
    )
  }
  return (
    <ul className="flex flex-col gap-0.5">
      {links.map(({ path, label, group }) => {
        const Icon = group === 'Starred' ? Star : Clock
        return (
          <li key={path}>
            <Link to={path as '/'} className="nav-link" {...tooltip(label, 'truncated')}>
              <Icon size={16} strokeWidth={1.5} aria-hidden />
              <Truncate text={label} />
            </Link>
          </li>
        )
      })}
    </ul>
  )
}
