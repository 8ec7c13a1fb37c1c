import { useCapability } from '../../data/capabilities.ts'
import { AdminsToAsk } from '../../page/admins-to-ask.tsx'

/** Says why the images of the silo are not offered to the user, and who can change that. */
export default function RefusalReason() {
  const hasPolicy = useCapability('projectOffers')
  return hasPolicy ? (
    <>
      Silo images need a role on the silo, because its image policy does not permit them to members
      of projects. <AdminsToAsk /> They can change the policy as well.
    </>
  ) : (
    <>
      Silo images need a role on the silo. <AdminsToAsk />
    </>
  )
}
