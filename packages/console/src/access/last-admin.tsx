import { type Change, losesLastAdmin, type Place } from './policies.ts'

/** Who could give the role back. */
const rescuers: Record<Place['level'], string> = {
  fleet: 'Only a person with access to the server could appoint another one.',
  silo: 'Only an operator could appoint another one.',
  project: 'Only admins and collaborators of the silo could appoint another one.',
}

/** A warning, if a change leaves nobody who could undo it. */
export const LastAdmin = ({ place, change }: { place: Place; change: Change }) =>
  losesLastAdmin(change.from, change.to) ? (
    <p>
      The {place.level} will have no admin any more. {rescuers[place.level]}
    </p>
  ) : null
