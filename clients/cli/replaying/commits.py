"""A feed's chain that knows the software of each commit, and reads on where its hashes do not follow."""

from dataclasses import dataclass, field

from casino.feeds.v1 import feeds_pb2
from clients.sdk.feeds import Chain, ChainBroken, Entry


@dataclass
class Commits(Chain):
    """How far a reader has come; `version` is the software that made the commit read last, `broken` what broke.

    Bytes that are not those hashed are a difference, and are compared all the same: what was changed is to be named.
    """

    version: str = ""
    broken: list[str] = field(default_factory=list)

    def take(self, batch: feeds_pb2.FeedBatch) -> list[Entry]:
        """The entries of a batch. Raises ChainBroken where entries are missing, for nothing follows from there."""
        if batch.commit:
            self.version = feeds_pb2.Commit.FromString(batch.commit).software_version
        try:
            return super().take(batch)
        except ChainBroken as broken:
            if batch.first_position != self.position + 1 or len(batch.kinds) != len(batch.entries):
                raise
            self.broken.append(str(broken))
        found = self._entries(batch)
        self.position, self.hash = self.position + len(found), batch.head_hash
        self.commits += bool(batch.commit)
        return found
