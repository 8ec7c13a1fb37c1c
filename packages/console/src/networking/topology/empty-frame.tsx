/** Where the picture of a network will be. */
export const EmptyFrame = () => <div className="min-h-112 flex-1 border-t bg-sunken" />
