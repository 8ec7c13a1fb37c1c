import { TextLink } from '../../ui/link.tsx'
import { MiddleTruncate } from '../../ui/text.tsx'

/** Leads to the page of a sled, which only operators may see. */
export const SledLink = ({ id }: { id: string }) => (
  <TextLink to="/system/inventory/sleds/$sledId/instances" params={{ sledId: id }}>
    <MiddleTruncate text={id} />
  </TextLink>
)
