export const ipPoolDocs = {
  topic: 'IP pools',
  summary:
    'An IP pool holds ranges of addresses. The silos that it is linked to allocate external IPs from it.',
}
