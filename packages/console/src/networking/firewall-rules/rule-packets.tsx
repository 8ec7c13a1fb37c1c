/** How many packets the firewall rules of a VPC have decided about; only with the extension. */
import type { FirewallUse } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { apiQuery } from '../../data/api.ts'
import { messageOf } from '../../data/errors.ts'
import { POLL_MS } from '../../data/live.ts'
import type { Column } from '../../ui/column.ts'
import { countOf, uncapitalized } from '../../ui/list-controls/count-text.ts'
import { formatNumber } from '../../ui/number.ts'
import { EmptyCell } from '../../ui/text.tsx'
import { formatMoment, TimeAgo } from '../../ui/time.tsx'
import { HelpTip, tooltip } from '../../ui/tooltip.tsx'
import { unlessDeleting, type VpcParams } from '../vpcs/queries.ts'
import type { Rule } from './rules.ts'

const packetsQuery = ({ project, vpc }: VpcParams) => ({
  ...apiQuery('vpcFirewallUseView', { path: { vpc }, query: { project } }),
  ...unlessDeleting({ project, vpc }),
})

const noun = { one: 'packet', many: 'packets' }

/** `1,204 packets since 6:40 PM` */
const sumSentence = ({ packets, timeSince }: FirewallUse): string =>
  `${packets === 0 ? 'No packet' : countOf(noun, packets)} since ${formatMoment(timeSince)}`

/** The list reads the numbers once for all rows. */
function PacketsCell({ params, rule }: { params: VpcParams; rule: Rule }) {
  const { data } = useQuery(packetsQuery(params))
  const use = data?.rules.find(({ name }) => name === rule.name)
  // A rule that is disabled or has no targets decides about nothing.
  if (!use) return <EmptyCell />
  if (!use.timeLast) {
    return (
      <span className="text-tertiary" {...tooltip(sumSentence(use))}>
        Never
      </span>
    )
  }
  return (
    <>
      {`${formatNumber(use.packets)} `}
      <TimeAgo
        date={use.timeLast}
        caption={`${sumSentence(use)}, the last`}
        ago
        className="ms-1 text-tertiary"
      />
    </>
  )
}

export const packetsColumn = (params: VpcParams): Column<Rule> => ({
  id: 'packets',
  header: 'Packets',
  width: 136,
  phone: 'second',
  labelled: true,
  tip: (
    <HelpTip>
      Packets that a rule has decided about, and when the last one came. Answers within an allowed
      connection are not counted.
    </HelpTip>
  ),
  cell: (rule) => <PacketsCell params={params} rule={rule} />,
})

/** Packets that no rule decides about, in sentences below the rules. */
export function PacketsByDefault({ params }: { params: VpcParams }) {
  const { data, error } = useQuery({ ...packetsQuery(params), refetchInterval: POLL_MS })
  const denied = data?.deniedByDefault
  const allowed = data?.allowedByDefault
  return (
    <div className="px-(--gutter) py-4 text-secondary">
      {error && <p>The numbers of packets are not up to date: {uncapitalized(messageOf(error))}</p>}
      {denied && <p>Inbound and denied, because no rule allows them: {sumInText(denied)}</p>}
      {allowed && <p>Outbound and allowed, because no rule denies them: {sumInText(allowed)}</p>}
    </div>
  )
}

const sumInText = (use: FirewallUse) => (
  <>
    {uncapitalized(sumSentence(use))}
    {use.timeLast && (
      <>
        , the last <TimeAgo date={use.timeLast} caption="Last packet" ago />
      </>
    )}
  </>
)
