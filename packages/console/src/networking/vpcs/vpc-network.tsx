/** Whether packets do what the rules and routes of a VPC say. */
import type { VpcNetworkStatus } from '@steading/api/client'
import { vpcNetworkSentences } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { useEngine } from '../../data/capabilities.ts'
import { useLivePolling } from '../../data/live.ts'
import { PropertiesTable } from '../../ui/properties-table.tsx'
import { StateBadge, type StateTone } from '../../ui/state-badge.tsx'
import { HelpTip } from '../../ui/tooltip.tsx'
import { type VpcParams, vpcNetworkQuery } from './queries.ts'

interface Look {
  tone: StateTone
  label: string
  sentence: string
}

const looks = {
  inEffect: { tone: 'works', label: 'In effect', sentence: vpcNetworkSentences.inEffect },
  behind: { tone: 'changing', label: 'Behind', sentence: vpcNetworkSentences.behind },
  notCarried: {
    tone: 'attention',
    label: 'Not carried',
    sentence: vpcNetworkSentences.notCarried,
  },
  simulated: { tone: 'works', label: 'Simulated', sentence: vpcNetworkSentences.simulated },
} satisfies Record<string, Look>

function lookOf(status: VpcNetworkStatus, isSimulated: boolean): Look {
  const { carried, behind, hosts, silentHosts } = status
  if (!carried) return looks.notCarried
  if (behind) {
    const sentence = silentHosts > 0 ? vpcNetworkSentences.behindSilent : looks.behind.sentence
    return { ...looks.behind, sentence }
  }
  if (silentHosts > 0) {
    return {
      tone: 'attention',
      label: `${silentHosts} of ${hosts} hosts ${silentHosts === 1 ? 'does' : 'do'} not answer`,
      sentence: vpcNetworkSentences.silentHosts,
    }
  }
  return isSimulated ? looks.simulated : looks.inEffect
}

/** A row of properties; only with the extension. */
export function VpcNetworkRow(params: VpcParams) {
  const isSimulated = useEngine()?.isSimulated === true
  const { data } = useQuery({
    ...vpcNetworkQuery(params),
    refetchInterval: useLivePolling(10_000),
  })
  const look = data && lookOf(data, isSimulated)
  return (
    <PropertiesTable.Row label="Network">
      {look && (
        <span className="flex items-center gap-1.5">
          <StateBadge tone={look.tone}>{look.label}</StateBadge>
          <HelpTip>{look.sentence}</HelpTip>
        </span>
      )}
    </PropertiesTable.Row>
  )
}
