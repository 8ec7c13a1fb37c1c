import type { AccessPath, UserAccess } from '@steading/api/client'
import { Strong } from '../../ui/text.tsx'

type Path = Pick<AccessPath, 'grant' | 'group' | 'place'> & { countsAs?: AccessPath['countsAs'] }

/** "silo.admin through group platform-admins, which counts as project.admin". */
export function PathText({ path }: { path: Path | UserAccess['roles'][number] }) {
  const { grant, group } = path
  const countsAs = 'countsAs' in path ? path.countsAs : undefined
  if (grant === 'any.user') return 'Every user'
  if (grant === 'silo.user') return 'Every user of the silo'
  if (grant === 'self') return 'It is their own'
  return (
    <>
      <code className="font-mono text-xs">{grant}</code>
      {group && (
        <>
          {' '}
          through group <Strong>{group.displayName}</Strong>
        </>
      )}
      {countsAs && countsAs !== grant && (
        <>
          , which counts as <code className="font-mono text-xs">{countsAs}</code>
        </>
      )}
    </>
  )
}
