import type { IpVersion } from '@steading/api/client'
import { useId } from 'react'
import { useController, useWatch, type UseFormReturn } from 'react-hook-form'
import { Badge } from '../ui/badge.tsx'
import { Banner } from '../ui/banner.tsx'
import { CheckboxInput } from '../ui/checkbox-input.tsx'
import { Listbox, ListboxField, type Option } from '../ui/form/listbox-field.tsx'
import { Tip } from '../ui/tooltip.tsx'
import { defaultPool, ipVersions, noEphemeral, poolsOf } from './pools.ts'
import type { Offer } from './queries.ts'
import { Section } from './section.tsx'
import type { InstanceValues, IpVersions } from './values.ts'

const versionOptions: Option[] = [
  { value: 'dual_stack', label: 'IPv4 & IPv6' },
  { value: 'ipv4', label: 'IPv4' },
  { value: 'ipv6', label: 'IPv6' },
]

type Props = { form: UseFormReturn<InstanceValues>; offer: Offer; disabled: boolean }

export function NetworkingSection({ form, offer, disabled }: Props) {
  const { control, setValue, getValues } = form
  const [network, versions] = useWatch({ control, name: ['network', 'ipVersions'] })
  const id = useId()
  const noVpc = offer.vpcs.length === 0

  /** An address goes with the support for it, and comes back with it where there is a default. */
  const change = (next: Partial<Pick<InstanceValues, 'network' | 'ipVersions'>>) => {
    const before = getValues()
    const after = { ...before, ...next }
    setValue('network', after.network, { shouldDirty: true })
    setValue('ipVersions', after.ipVersions, { shouldDirty: true })
    for (const version of ipVersions) {
      const can = (of: InstanceValues) =>
        !noEphemeral(offer.pools, of.network, of.ipVersions, version)
      if (can(before) === can(after)) continue
      const pool = can(after) ? defaultPool(offer.pools, version) : ''
      setValue(version === 'v4' ? 'ephemeral4' : 'ephemeral6', pool !== '')
      setValue(version === 'v4' ? 'pool4' : 'pool6', pool)
    }
  }
  const radio = (value: 'default' | 'none', label: string) => (
    <label className="flex items-center gap-2">
      <input
        type="radio"
        className="radio"
        name={`${id}-network`}
        value={value}
        checked={network === value}
        disabled={disabled || (noVpc && value !== 'none')}
        onChange={() => change({ network: value })}
      />
      {label}
    </label>
  )
  return (
    <Section title="Networking">
      {noVpc && <Banner variant="notice">A VPC is required to add network interfaces.</Banner>}
      <div className="flex flex-col gap-1.5">
        <span id={`${id}-label`} className="font-medium">
          Network interface
        </span>
        <div role="radiogroup" aria-labelledby={`${id}-label`} className="flex flex-col gap-2">
          <div className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1">
            {radio('default', 'Default')}
            {network === 'default' && (
              <Listbox
                aria-label="IP versions"
                className="w-40"
                options={versionOptions}
                value={versions}
                disabled={disabled}
                onChange={(next) => change({ ipVersions: next as IpVersions })}
              />
            )}
          </div>
          {radio('none', 'None')}
        </div>
      </div>
      <div className="flex flex-col gap-2">
        <span className="flex items-center gap-1.5 font-medium">
          Ephemeral IP
          <Tip>
            An address the instance is given now and loses when it is deleted or the address is
            detached.
          </Tip>
        </span>
        {ipVersions.map((version) => (
          <EphemeralIp key={version} {...{ version, form, offer, disabled }} />
        ))}
      </div>
    </Section>
  )
}

function EphemeralIp({ version, form, offer, disabled }: Props & { version: IpVersion }) {
  const { control, setValue, getValues } = form
  const poolName = version === 'v4' ? 'pool4' : 'pool6'
  const label = version === 'v4' ? 'IPv4' : 'IPv6'
  const [network, versions] = useWatch({ control, name: ['network', 'ipVersions'] })
  const {
    field: { value: on, onChange, ref },
  } = useController({ control, name: version === 'v4' ? 'ephemeral4' : 'ephemeral6' })
  const id = useId()
  const reason = noEphemeral(offer.pools, network, versions, version)
  const toggle = (next: boolean) => {
    onChange(next)
    if (next && !getValues(poolName)) setValue(poolName, defaultPool(offer.pools, version))
  }
  return (
    <div className="flex flex-col gap-2">
      <div>
        <label className="inline-flex items-start gap-2">
          <CheckboxInput
            className="mt-0.5"
            checked={on}
            disabled={disabled || Boolean(reason)}
            aria-describedby={reason && id}
            onChange={(event) => toggle(event.target.checked)}
          />
          <span ref={ref} className={reason && 'text-secondary'}>
            Allocate {label} address{on && ' from pool:'}
          </span>
        </label>
        {reason && (
          <div id={id} className="ml-6 text-xs text-tertiary">
            {reason[0]}
            <br />
            {reason[1]}
          </div>
        )}
      </div>
      {on && (
        <div className="ml-6 max-w-80">
          <ListboxField
            name={poolName}
            label={`${label} pool`}
            placeholder="Select a pool"
            control={control}
            disabled={disabled}
            options={poolsOf(offer.pools, version).map((pool) => ({
              value: pool.name,
              label: pool.name,
              content: (
                <span className="flex items-center gap-1.5">
                  <span className="min-w-0 flex-1 truncate">{pool.name}</span>
                  {pool.isDefault && (
                    <Badge color="accent" icon={false}>
                      default
                    </Badge>
                  )}
                  <Badge icon={false}>{pool.ipVersion}</Badge>
                </span>
              ),
            }))}
          />
        </div>
      )}
    </div>
  )
}
