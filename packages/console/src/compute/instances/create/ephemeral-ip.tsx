import type { IpVersion } from '@steading/api/client'
import { ipVersionName } from '@steading/api/rules'
import { useId } from 'react'
import { useController, useWatch, type UseFormReturn } from 'react-hook-form'
import { poolOption } from '../../../networking/pools/pool-option.tsx'
import { CheckboxInput } from '../../../ui/checkbox-input.tsx'
import { ListboxField } from '../../../ui/form/listbox-field.tsx'
import { defaultPool, noEphemeral, poolsOf } from './pools.ts'
import type { Offer } from './queries.ts'
import type { InstanceValues } from './values.ts'

type Props = {
  version: IpVersion
  form: UseFormReturn<InstanceValues>
  offer: Offer
  disabled: boolean
}

export function EphemeralIp({ version, form, offer: { pools }, disabled }: Props) {
  const { control, setValue, getValues } = form
  const poolName = version === 'v4' ? 'pool4' : 'pool6'
  const label = ipVersionName[version]
  const [network, ipVersions, nics] = useWatch({ control, name: ['network', 'ipVersions', 'nics'] })
  const {
    field: { value: on, onChange, ref },
  } = useController({ control, name: version === 'v4' ? 'ephemeral4' : 'ephemeral6' })
  const id = useId()
  const reason = noEphemeral(pools, { network, ipVersions, nics }, version)
  const toggle = (next: boolean) => {
    onChange(next)
    if (!next || getValues(poolName)) return
    const offered = poolsOf(pools, version)
    const only = offered.length === 1 ? offered[0]!.name : ''
    setValue(poolName, defaultPool(pools, version) || only)
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
          <div id={id} className="ms-6 text-xs text-tertiary">
            {reason[0]}
            <br />
            {reason[1]}
          </div>
        )}
      </div>
      {on && (
        <div className="ms-6 max-w-80">
          <ListboxField
            name={poolName}
            label={`${label} pool`}
            placeholder="Select a pool"
            control={control}
            disabled={disabled}
            options={poolsOf(pools, version).map(poolOption)}
          />
        </div>
      )}
    </div>
  )
}
