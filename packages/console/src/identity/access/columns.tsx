import { CellButton, ListPlusCell } from '../../ui/cells.tsx'
import type { Column } from '../../ui/column.ts'
import { CellLink } from '../../ui/link.tsx'
import { Mono, Truncate } from '../../ui/text.tsx'
import { HelpTip } from '../../ui/tooltip.tsx'
import { askAccess } from '../../workspace/who-can/ask-access.ts'
import { useHasPeoplePages } from './names.ts'
import type { Level, Role } from './policies.ts'
import { Tag, type TagStrength } from '../../ui/tag.tsx'
import type { AccessRow } from './rows.ts'

/** A role at a level, in the API's notation. */
export const RoleTag = ({ level, role }: { level: Level; role: Role }) => (
  <Tag strength={strengths[role]}>{`${level}.${role}`}</Tag>
)

/** The more a role permits, the stronger its tag. */
export const strengths: Record<Role, TagStrength> = {
  admin: 'strong',
  collaborator: 'medium',
  limited_collaborator: 'medium',
  viewer: 'weak',
}

const typeLabels = { silo_user: 'User', silo_group: 'Group' } as const

type NameCellProps = { row: AccessRow; project: string | undefined; canAsk: boolean }

function NameCell({ row, project, canAsk }: NameCellProps) {
  const { id, name, type, resolved } = row
  const hasPages = useHasPeoplePages()
  if (!resolved) {
    const what = type === 'silo_user' ? 'user' : 'group'
    return (
      <span className="flex min-w-0 items-center gap-1">
        <Mono className="truncate">{id}</Mono>
        <HelpTip>{`Can't resolve name because ${what} is not in your silo`}</HelpTip>
      </span>
    )
  }
  if (type === 'silo_group' && canAsk && hasPages) {
    return (
      <CellLink to="/groups/$group" params={{ group: id }}>
        {name}
      </CellLink>
    )
  }
  if (type === 'silo_group' || !canAsk) return <Truncate text={name} className="font-medium" />
  return (
    <CellButton onClick={() => askAccess({ of: 'user', id, name, project })}>{name}</CellButton>
  )
}

type AccessColumns = Record<'name' | 'type' | 'role', Column<AccessRow>>

/** @param project the page's project, to which "View access" then refers */
export const accessColumns = (canAsk: boolean, project?: string): AccessColumns => ({
  name: {
    id: 'name',
    header: 'Name',
    cell: (row) => <NameCell row={row} project={project} canAsk={canAsk} />,
  },
  type: {
    id: 'type',
    header: 'Type',
    width: 180,
    phone: 'second',
    cell: ({ type, service }) => (service ? 'Service account' : typeLabels[type]),
  },
  role: {
    id: 'role',
    header: 'Role',
    width: 300,
    phone: 'second',
    cell: ({ roles }) => (
      <ListPlusCell
        title="Other roles"
        items={roles.map(({ level, role }) => ({
          text: `${level}.${role}`,
          content: <RoleTag level={level} role={role} />,
        }))}
      />
    ),
  },
})
