/** Messages about role assignments. */

/** The fleet, silo or project of a role assignment. */
type PlaceOfRole = { level: 'fleet' | 'silo' | 'project'; name: string }

export const placeOfRole = ({ level, name }: PlaceOfRole): string =>
  level === 'fleet' ? 'the fleet' : `${level} ${name}`

const rescuers: Record<PlaceOfRole['level'], string> = {
  fleet: 'Only a person with access to the server can appoint one.',
  silo: 'Only an operator can appoint one.',
  // Silo admins and collaborators are project admins as well, so a project without admins has
  // neither.
  project: 'Only an operator can, by appointing an admin of the silo.',
}

/** Warning about removing the last admin. */
export const noAdminLeft = (place: PlaceOfRole): string =>
  `No admin is left on ${placeOfRole(place)}. ${rescuers[place.level]}`

export const accessMessages = {
  assignableProject: 'project is required with assignable=project, and only then',
} as const
