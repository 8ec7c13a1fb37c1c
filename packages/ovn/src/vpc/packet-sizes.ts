/** Bytes of the largest packet, which instances of a VPC may have a size of their own for. */
import type { Interface, SubnetRow, Vpc } from '@steading/network'

export const mtuOf = ({ instance }: Interface, usual: number): number => instance.row.mtu ?? usual

/** The different sizes of the interfaces in a subnet, or in the whole VPC, the smallest first. */
export const mtusIn = (
  { interfaces }: Vpc,
  usual: number,
  subnet?: Pick<SubnetRow, 'id'>,
): number[] => {
  const sizes = interfaces.flatMap((at) =>
    subnet && at.subnet.id !== subnet.id ? [] : [mtuOf(at, usual)],
  )
  return [...new Set(sizes)].toSorted((a, b) => a - b)
}

/**
 * The setting of a router's port that leads to smaller packets than others in the VPC: senders are
 * told to send smaller ones.
 */
export const narrowing = (vpc: Vpc, usual: number, smallest: number | undefined) =>
  smallest !== undefined && smallest < (mtusIn(vpc, usual).at(-1) ?? usual)
    ? { options: { gateway_mtu: String(smallest) } }
    : {}
