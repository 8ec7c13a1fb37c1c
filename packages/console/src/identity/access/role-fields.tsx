import type { Control, FieldPath, FieldValues } from 'react-hook-form'
import { Banner } from '../../ui/banner.tsx'
import { RadioField } from '../../ui/form/choice-fields.tsx'
import type { Level, Role } from './policies.ts'

export const roleLabels: Record<Role, string> = {
  viewer: 'Viewer',
  limited_collaborator: 'Limited collaborator',
  collaborator: 'Collaborator',
  admin: 'Admin',
}

/** Permissions of each role, weakest first. */
const descriptions: Record<Level, Partial<Record<Role, string>>> = {
  fleet: {
    viewer: 'Sees the system: hardware, silos, pools and the audit log',
    collaborator: 'Also creates silos, and changes them and their quotas',
    admin: 'Also manages pools, hardware and who has access to the fleet',
  },
  silo: {
    viewer: 'Sees everything in the silo and in all of its projects',
    limited_collaborator:
      'Also manages instances, disks, images and addresses in all projects, but no networks',
    collaborator: 'Also creates projects, and is an admin of every project',
    admin: 'Also manages the silo, its users and who has access to it',
  },
  project: {
    viewer: 'Sees everything in the project',
    limited_collaborator: 'Also manages instances, disks, images and addresses, but no networks',
    collaborator: 'Also manages networks and firewalls',
    admin: 'Also changes the project, and who has access to it',
  },
}

const titles: Record<Level, string> = {
  fleet: 'Fleet role',
  silo: 'Silo role',
  project: 'Project role',
}

const combine: Record<Level, string> = {
  fleet: 'Roles on the fleet do not reach into silos: they give nothing in a project.',
  silo: 'All projects inherit roles on the silo. Of several roles, the strongest applies.',
  project:
    'The project inherits roles on the silo. Of several roles, the strongest applies, so a weaker one here takes nothing away.',
}

/** The roles of a level, weakest first. */
export const roleItems = (level: Level) =>
  Object.entries(descriptions[level]).map(([role, description]) => ({
    value: role,
    label: roleLabels[role as Role],
    description,
  }))

/** The value of a choice without a role. */
export const NO_ROLE = 'none'

/** The roles of a level for a list of choices. */
export const roleOptions = (level: Level) =>
  roleItems(level).map(({ value, label, description }) => ({
    value,
    label,
    content: (
      <span className="flex flex-col">
        {label}
        <span className="text-xs text-secondary">{description}</span>
      </span>
    ),
  }))

/** As `roleOptions`, after no role. */
export const optionalRoles = (level: Level) => [
  { value: NO_ROLE, label: 'None' },
  ...roleOptions(level),
]

type RoleFieldsProps<T extends FieldValues> = {
  level: Level
  control: Control<T>
  name: FieldPath<T>
}

/** The choice of a role, with a note on combined roles. */
export function RoleFields<T extends FieldValues>({ level, control, name }: RoleFieldsProps<T>) {
  return (
    <>
      <RadioField
        name={name}
        control={control}
        label={titles[level]}
        column
        items={roleItems(level)}
      />
      <Banner>{combine[level]}</Banner>
    </>
  )
}
