// Work that waits until the reader comes to it.

/** An attachment: does the work once, when the element comes into view. */
export const whenSeen = (work: () => void) => (element: Element) => {
  const observer = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    observer.disconnect();
    work();
  });
  observer.observe(element);
  return () => observer.disconnect();
};
