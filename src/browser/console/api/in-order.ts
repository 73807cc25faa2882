/** Returns a function that sends changes one at a time, so that the service applies them in the order of the clicks. */
export function inOrder(): <Answer>(send: () => Promise<Answer>) => Promise<Answer> {
  let last: Promise<unknown> = Promise.resolve();
  return (send) => {
    const answer = last.then(send);
    last = answer.catch(() => undefined);
    return answer;
  };
}
