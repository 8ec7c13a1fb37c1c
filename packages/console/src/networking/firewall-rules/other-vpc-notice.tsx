import { namesOtherVpc } from '@steading/api/rules'
import { useMutation } from '@tanstack/react-query'
import { usePrefetchedQuery } from '../../data/api.ts'
import type { ApiError } from '../../data/errors.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Strong } from '../../ui/text.tsx'
import { errorToast } from '../../ui/toasts.tsx'
import { type VpcParams, vpcQuery } from '../vpcs/queries.ts'
import { renameVpc, type Rule, type Rules } from './rules.ts'
import { changeRules, RULES_UPDATE } from './update.ts'

const hostsOf = ({ targets, filters }: Rule) => [...targets, ...(filters.hosts ?? [])]

/**
 * Notice of rules with the former name of a renamed VPC. Such rules match nothing, and the API
 * refuses every set of rules that contains them.
 */
export function OtherVpcNotice({ params, read }: { params: VpcParams; read: Rules }) {
  const { name } = usePrefetchedQuery(vpcQuery(params)).data
  const others = new Set(
    read.rules.flatMap(hostsOf).flatMap((host) => (namesOtherVpc(host, name) ? [host.value] : [])),
  )
  const { mutate, isPending } = useMutation<void, ApiError>({
    mutationFn: () => changeRules(params, renameVpc(name)),
    onError: ({ message }) => errorToast('Could not update firewall rules', message),
  })
  if (others.size === 0) return null
  return (
    <div className="px-(--gutter) pb-4">
      <Banner
        variant="notice"
        title="Some rules name another VPC"
        action={
          <Button size="sm" sends calls={RULES_UPDATE} loading={isPending} onClick={() => mutate()}>
            Change to {name}
          </Button>
        }
      >
        They name{' '}
        {[...others].map((other, index) => (
          <span key={other}>
            {index > 0 && ', '}
            <Strong>{other}</Strong>
          </span>
        ))}
        , which may be the former name of this VPC. Such rules match nothing, and no change of the
        rules can be saved until they are corrected.
      </Banner>
    </div>
  )
}
