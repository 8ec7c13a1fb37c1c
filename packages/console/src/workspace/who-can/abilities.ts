import { type Action, kindTable, type KindName } from '@steading/api/rules'

/** A named permission of the matrix. */
export type Ability = { kind: KindName; action: Action; label: string }

const ofProject: Ability[] = [
  { kind: 'project', action: 'read', label: 'see the project' },
  {
    kind: 'instance',
    action: 'modify',
    label: 'manage its instances, disks, images and addresses',
  },
  { kind: 'vpc', action: 'modify', label: 'manage its networks' },
  {
    kind: 'project',
    action: 'modify',
    label: 'change or delete the project, or change its access',
  },
]

const ofSilo: Ability[] = [
  { kind: 'silo', action: 'list', label: 'see all projects' },
  { kind: 'silo_image', action: 'modify', label: 'manage the images of the silo' },
  { kind: 'silo', action: 'create', label: 'create projects' },
  { kind: 'silo', action: 'modify', label: 'change the silo or its access' },
]

const ofFleet: Ability[] = [
  { kind: 'fleet', action: 'read', label: 'see the system' },
  { kind: 'fleet', action: 'create', label: 'create silos' },
  { kind: 'fleet', action: 'modify', label: 'change the system or its access' },
]

/** Possible permissions on a kind. */
export function abilitiesOf(kind: KindName): Ability[] {
  if (kind === 'project') return ofProject
  if (kind === 'silo') return ofSilo
  if (kind === 'fleet') return ofFleet
  const { words } = kindTable[kind]
  return [
    { kind, action: 'read', label: `see the ${words}` },
    { kind, action: 'modify', label: `change or delete the ${words}` },
  ]
}
