/** Placeholder for the map of a network. */
export const EmptyFrame = () => <div className="min-h-112 flex-1 border-t bg-sunken" />
