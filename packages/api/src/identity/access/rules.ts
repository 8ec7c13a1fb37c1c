/** Words about who has which role. */

/** What a role is given on. */
type PlaceOfRole = { level: 'fleet' | 'silo' | 'project'; name: string }

export const placeOfRole = ({ level, name }: PlaceOfRole): string =>
  level === 'fleet' ? 'the fleet' : `${level} ${name}`

const rescuers: Record<PlaceOfRole['level'], string> = {
  fleet: 'Only a person with access to the server can appoint one.',
  silo: 'Only an operator can appoint one.',
  // Admins and collaborators of the silo are admins of its projects, so there are none either.
  project: 'Only an operator can, by appointing an admin of the silo.',
}

/** A warning: the last user who was an admin there would not be one any more. */
export const noAdminLeft = (place: PlaceOfRole): string =>
  `No admin is left on ${placeOfRole(place)}. ${rescuers[place.level]}`
