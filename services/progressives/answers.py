"""What calls are answered: the messages that are kept with a request, so that a repeat gets the same one."""

from casino.progressives.v1 import progressives_service_pb2 as pb

AcknowledgeAlertResponse = pb.AcknowledgeAlertResponse
ApproveDecisionResponse = pb.ApproveDecisionResponse
ApproveLinkResponse = pb.ApproveLinkResponse
ClaimJackpotResponse = pb.ClaimJackpotResponse
EchoMetersResponse = pb.EchoMetersResponse
JackpotSlip = pb.JackpotSlip
PayJackpotResponse = pb.PayJackpotResponse
Payee = pb.Payee
ProposeDecisionResponse = pb.ProposeDecisionResponse
ProposeLinkResponse = pb.ProposeLinkResponse
RejectDecisionResponse = pb.RejectDecisionResponse
ResumeLinkResponse = pb.ResumeLinkResponse
SuspendLinkResponse = pb.SuspendLinkResponse
VerifyJackpotResponse = pb.VerifyJackpotResponse
WinningsForm = pb.WinningsForm
WithdrawLinkResponse = pb.WithdrawLinkResponse
