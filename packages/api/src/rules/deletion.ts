/** How something stands to what is to be deleted: goes with it, stays without it, or is in the way. */
export const deletionRelations = ['goes', 'stays', 'blocks'] as const
export type DeletionRelation = (typeof deletionRelations)[number]

/** Of something that changed between looking at it and deleting it. */
export const DELETION_RACED = 'deletion failed due to concurrent modification'

/** Why the API refuses to delete something (control plane 5, 8.1, 8.2, 8.7). */
export const deletionRefusals = {
  vpc: 'VPC cannot be deleted while VPC Subnets exist',
  vpc_subnet: 'VPC Subnet cannot be deleted while network interfaces in the subnet exist',
  floating_ip: 'Floating IP cannot be deleted while attached to an instance',
} as const

/** Kinds of things that keep a project from being deleted, in the order in which they are told. */
export const projectContents = {
  instance: 'instance',
  disk: 'disk',
  floating_ip: 'floating ip',
  image: 'project image',
  snapshot: 'snapshot',
  vpc: 'vpc',
  affinity_group: 'affinity group',
  anti_affinity_group: 'anti affinity group',
} as const
export type ProjectContent = keyof typeof projectContents

/** Why a project with something in it cannot be deleted. */
export function projectContains(kind: ProjectContent, name: string): string {
  const word = projectContents[kind]
  const article = /^[aeiou]/.test(word) ? 'an' : 'a'
  return `project to be deleted contains ${article} ${word}: ${name}`
}
